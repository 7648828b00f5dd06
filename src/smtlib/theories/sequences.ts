import { onlyRead, operator, operators, type Theory } from './signature.js';

const seq = '(Seq X)';
const regex = '(RegEx X)';

/** Z3's and cvc5's sequences; strings count as sequences of characters. */
export const sequences: Theory = {
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
    ...operators('seq.nth seq.nth_i seq.nth_u', `${seq} Int`, 'X'),
    operator('seq.at', `${seq} Int`, seq),
    operator('seq.extract', `${seq} Int Int`, seq),
    operator('seq.update', `${seq} Int ${seq}`, seq),
    ...operators('seq.contains seq.prefixof seq.suffixof', `${seq} ${seq}`, 'Bool'),
    operator('seq.indexof', `${seq} ${seq} Int`, 'Int'),
    ...operators('seq.indexof seq.last_indexof', `${seq} ${seq}`, 'Int'),
    ...operators('seq.replace seq.replace_all', `${seq} ${seq} ${seq}`, seq),
    operator('seq.rev', seq, seq),
    ...operators('seq.to.re seq.to_re', seq, '(RegEx (Seq X))'),
    ...operators('seq.in.re seq.in_re', `${seq} (RegEx (Seq X))`, 'Bool'),
    operator('seq.map', '(Array X Y) (Seq X)', '(Seq Y)'),
    operator('seq.mapi', '(Array Int X Y) Int (Seq X)', '(Seq Y)'),
    operator('seq.foldl', '(Array Y X Y) Y (Seq X)', 'Y'),
    operator('seq.foldli', '(Array Int Y X Y) Int Y (Seq X)', 'Y'),
    ...operators('re.* re.+ re.opt re.comp', regex, regex),
    ...operators('re.++ re.union re.inter re.diff', `${regex} ${regex}`, regex, { shape: 'left' }),
    ...operators('re.none re.all re.allchar', '', regex),
    operator('re.loop', regex, regex, { indices: ['i', 'j'] }),
  ],
};
