import { onlyRead, operator, type Theory } from './signature.js';

const seq = '(Seq X)';

/** Z3's and cvc5's sequences; strings count as sequences of characters. */
export const sequences: Theory = {
  name: 'Seq',
  sorts: [
    { symbol: 'Seq', indices: 0, args: 1 },
    { symbol: 'RegEx', indices: 0, args: 1 },
  ],
  operators: [
    operator('seq.empty', '', seq),
    // cvc5's default element sort is Bool.
    operator('seq.empty', '', '(Seq Bool)', onlyRead),
    operator('seq.unit', 'X', seq),
    operator('seq.++', `${seq} ${seq}`, seq, { shape: 'left' }),
    operator('seq.++', seq, seq),
    operator('seq.len', seq, 'Int'),
    operator('seq.nth', `${seq} Int`, 'X'),
    operator('seq.at', `${seq} Int`, seq),
    operator('seq.extract', `${seq} Int Int`, seq),
    operator('seq.update', `${seq} Int ${seq}`, seq),
    operator('seq.nth_i', `${seq} Int`, 'X'),
    operator('seq.nth_u', `${seq} Int`, 'X'),
    operator('seq.contains', `${seq} ${seq}`, 'Bool'),
    operator('seq.prefixof', `${seq} ${seq}`, 'Bool'),
    operator('seq.suffixof', `${seq} ${seq}`, 'Bool'),
    operator('seq.indexof', `${seq} ${seq} Int`, 'Int'),
    operator('seq.indexof', `${seq} ${seq}`, 'Int'),
    operator('seq.last_indexof', `${seq} ${seq}`, 'Int'),
    operator('seq.replace', `${seq} ${seq} ${seq}`, seq),
    operator('seq.replace_all', `${seq} ${seq} ${seq}`, seq),
    operator('seq.rev', seq, seq),
    operator('seq.to.re', seq, '(RegEx (Seq X))'),
    operator('seq.in.re', `${seq} (RegEx (Seq X))`, 'Bool'),
    operator('seq.to_re', seq, '(RegEx (Seq X))'),
    operator('seq.in_re', `${seq} (RegEx (Seq X))`, 'Bool'),
    operator('seq.map', '(Array X Y) (Seq X)', '(Seq Y)'),
    operator('seq.mapi', '(Array Int X Y) Int (Seq X)', '(Seq Y)'),
    operator('seq.foldl', '(Array Y X Y) Y (Seq X)', 'Y'),
    operator('seq.foldli', '(Array Int Y X Y) Int Y (Seq X)', 'Y'),
    ...['re.*', 're.+', 're.opt', 're.comp'].map((name) => operator(name, '(RegEx X)', '(RegEx X)')),
    ...['re.++', 're.union', 're.inter', 're.diff'].map((name) =>
      operator(name, '(RegEx X) (RegEx X)', '(RegEx X)', { shape: 'left' }),
    ),
    ...['re.none', 're.all', 're.allchar'].map((name) => operator(name, '', '(RegEx X)')),
    operator('re.loop', '(RegEx X)', '(RegEx X)', { indices: ['i', 'j'] }),
  ],
};
