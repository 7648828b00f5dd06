import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, type MetadataId } from '../../../src/program/graph/index.js';
import { operandsOf, targetsOf } from '../../../src/program/ir/instruction.js';
import { readBody } from '../../../src/program/ir/reading/read-body.js';
import { readModule } from '../../../src/program/ir/reading/read-module.js';
import { readType } from '../../../src/program/ir/reading/read-type.js';
import { Scanner } from '../../../src/program/ir/reading/scanner.js';
import { type Type, typeText } from '../../../src/program/ir/type.js';
import { nestedValues } from '../../../src/program/ir/value.js';

const typed = `; ModuleID = 'a.c'
source_filename = "a.c"
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.P = type { i32, %struct.P*, [8 x i8] }

$inline = comdat any

@table = internal global [3 x i32] [i32 1, i32 2, i32 3], align 4, !dbg !0
@fp = dso_local global i32 (i32)* @add, align 8
@.str = private unnamed_addr constant [4 x i8] c"%d\\0A\\00", align 1
@tls = dso_local thread_local(initialexec) global i32 0, align 4
@ali = dso_local alias i32 (i32), i32 (i32)* @add

define dso_local i32 @add(i32 noundef %0) #0 !dbg !22 {
  %2 = alloca i32, align 4
  store i32 %0, i32* %2, align 4
  call void @llvm.dbg.declare(metadata i32* %2, metadata !24, metadata !DIExpression()), !dbg !25
  %3 = load i32, i32* %2, align 4, !dbg !26
  switch i32 %3, label %5 [
    i32 1, label %4
    i32 2, label %4
  ], !dbg !26

4:                                                ; preds = %1, %1
  br label %5, !dbg !27

5:                                                ; preds = %4, %1
  %6 = phi i32 [ %3, %1 ], [ 7, %4 ]
  ret i32 %6, !dbg !28
}

define linkonce_odr hidden void @"odd name"({ i8*, i32 } %0, ...) unnamed_addr comdat($inline) align 2 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) {
  invoke void (i8*, ...) @may_throw(i8* getelementptr inbounds ([4 x i8], [4 x i8]* @.str, i64 0, i64 0), i32 3)
          to label %2 unwind label %3

2:
  ret void

3:
  %4 = landingpad { i8*, i32 }
          catch i8* bitcast (i8** @_ZTIi to i8*)
          cleanup
  %5 = extractvalue { i8*, i32 } %4, 1
  resume { i8*, i32 } %4
}

declare void @may_throw(i8*, ...) #1

attributes #0 = { noinline nounwind "frame-pointer"="all" }

!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, producer: "x", isOptimized: false)
!2 = !DIFile(filename: "a.c", directory: "/src")
!22 = distinct !DISubprogram(name: "add", scope: !2, file: !2, line: 6, type: !23, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !1)
!24 = !DILocalVariable(name: "a", arg: 1, scope: !22, file: !2, line: 6, type: !30)
!25 = !DILocation(line: 6, column: 13, scope: !22)
!26 = !DILocation(line: 7, column: 3, scope: !29)
!27 = !DILocation(line: 8, column: 3, scope: !29, inlinedAt: !25)
!28 = !DILocation(line: 0, scope: !22)
!29 = distinct !DILexicalBlock(scope: !22, file: !31, line: 7, column: 3)
!31 = !DIFile(filename: "inc/b.h", directory: "/src")
`;

describe('readModule', () => {
  const module = readModule(typed);

  it('reads all definitions of a text without faults', () => {
    expect(module.faults).toEqual([]);
    expect(module.sourceName).toBe('a.c');
    expect([...module.globals.keys()]).toEqual(['table', 'fp', '.str', 'tls']);
    expect([...module.functions.keys()]).toEqual(['add', 'odd name', 'may_throw']);
    expect(module.globals.get('.str')?.initializer).toMatchObject({ kind: 'bytes', text: '%d\n\0' });
    expect(module.globals.get('table')?.isLocal).toBe(true);
    expect(module.aliases.get('ali')?.of).toMatchObject({ kind: 'global', name: 'add' });
    expect(module.functions.get('may_throw')?.isVariadic).toBe(true);
  });

  it('reads the linkage of each definition', () => {
    const words = ['', 'internal ', 'weak ', 'linkonce_odr hidden ', 'available_externally dso_local '];
    const linked = readModule(`${words.map((word, at) => `define ${word}void @f${at}() {\n}\n`).join('')}
@a = weak alias void (), ptr @f0
@b = internal alias void (), ptr @f0
@c = weak_odr ifunc void (), ptr @f0
`);
    expect(linked.faults).toEqual([]);
    expect(Array.from(linked.functions.values(), ({ linkage, isLocal }) => [linkage, isLocal])).toEqual([
      ['strong', false],
      ['local', true],
      ['weak', false],
      ['weak', false],
      ['copy', false],
    ]);
    expect(Array.from(linked.aliases.values(), ({ name, linkage }) => [name, linkage])).toEqual([
      ['a', 'weak'],
      ['b', 'local'],
    ]);
    expect([...linked.ifuncs.values()]).toMatchObject([
      { name: 'c', linkage: 'weak', resolver: { kind: 'global', name: 'f0' } },
    ]);
  });

  it('reads positions of instructions, including headers, inlined code and none', () => {
    expect(module.debug.position(idOf<MetadataId>(26))).toMatchObject({
      file: 'inc/b.h',
      line: 7,
      column: 3,
      subprogram: 22,
    });
    expect(module.debug.position(idOf<MetadataId>(27))?.inlinedAt).toMatchObject({ file: 'a.c', line: 6 });
    expect(module.debug.position(idOf<MetadataId>(28))).toBeUndefined();
    expect(module.debug.position(undefined)).toBeUndefined();
    expect(module.debug.variable(idOf<MetadataId>(24))).toEqual({ name: 'a', line: 6, isParameter: true });
    expect(module.debug.subprogram(idOf<MetadataId>(22))).toMatchObject({
      name: 'add',
      file: 'a.c',
      line: 6,
    });
  });

  it('reads blocks with their instructions and successors, also instructions of several lines', () => {
    const add = readBody(module, module.functions.get('add') as never);
    expect(add.faults).toEqual([]);
    expect(add.blocks.map(({ label }) => label)).toEqual(['1', '4', '5']);
    expect(add.blocks.map(({ terminator }) => targetsOf(terminator))).toEqual([['5', '4'], ['5'], []]);
    expect(add.blocks[0]?.instructions.map(({ op }) => op)).toEqual(['alloca', 'store', 'debug', 'load']);
    expect(add.blocks[0]?.terminator.location).toBe(26);
    const odd = readBody(module, module.functions.get('odd name') as never);
    expect(odd.faults).toEqual([]);
    const [entry, , pad] = odd.blocks;
    expect(targetsOf(entry?.terminator as never)).toEqual(['2', '3']);
    expect(operandsOf(entry?.terminator as never).map(({ kind }) => kind)).toEqual([
      'global',
      'expression',
      'integer',
    ]);
    expect(pad?.instructions[0]).toMatchObject({ op: 'landingpad', isCleanup: true });
    expect(pad?.instructions[1]?.type).toEqual({ kind: 'integer', bits: 32 });
  });

  it('reads debug records and opaque pointers of newer compilers', () => {
    const newer = readModule(`define i32 @f(ptr %p) {
entry:
    #dbg_declare(ptr %p, !12, !DIExpression(), !13)
  %x = getelementptr inbounds nuw { i32, ptr }, ptr %p, i32 0, i32 1, !dbg !13
  %y = load i32, ptr %x, align 4
  ret i32 %y
}
`);
    const { blocks, faults } = readBody(newer, newer.functions.get('f') as never);
    expect(faults).toEqual([]);
    expect(blocks[0]?.label).toBe('entry');
    expect(blocks[0]?.instructions.map(({ op, location }) => [op, location])).toEqual([
      ['debug', 13],
      ['getelementptr', 13],
      ['load', undefined],
    ]);
  });

  it('reports unknown text with its line and continues after it', () => {
    const strange = readModule(`frobnicate all
define void @f() {
  %1 = conjure i32 7, !dbg !1
          with magic
  ret void
}
`);
    expect(strange.faults).toMatchObject([
      { at: { line: 1, column: 1 }, message: expect.stringContaining('frobnicate all') },
    ]);
    const { blocks, faults } = readBody(strange, strange.functions.get('f') as never);
    expect(faults).toMatchObject([
      {
        at: { line: 3, column: 8 },
        expected: 'an instruction',
        found: 'conjure',
        message: expect.stringContaining('conjure i32 7'),
      },
    ]);
    expect(blocks[0]?.instructions.map(({ op }) => op)).toEqual(['unknown']);
    expect(blocks[0]?.terminator.op).toBe('ret');
  });

  it('treats a malformed integer as unknown', () => {
    const strange = readModule('define i32 @f() {\n  %1 = add i32 1.5, 2\n  ret i32 0xK3\n}\n');
    const { blocks, faults } = readBody(strange, strange.functions.get('f') as never);
    expect(faults.map(({ at, found }) => [at.line, found])).toEqual([
      [2, '1.5'],
      [3, '0xK3'],
    ]);
    expect(blocks[0]?.instructions.map(({ op }) => op)).toEqual(['unknown', 'unknown']);
  });

  it('reads constants of any length with all parts', () => {
    const count = 200_000;
    const elements = Array.from({ length: count }, (_, at) => `i32 ${at}`).join(', ');
    const large = readModule(`@table = constant [${count} x i32] [${elements}]\n`);
    const value = large.globals.get('table')?.initializer;
    expect(value?.kind).toBe('aggregate');
    expect([...nestedValues(value as never)]).toHaveLength(count + 1);
  });

  it('reads names beyond ASCII as the source has them, and invalid UTF-8 as bytes', () => {
    const module = readModule(`source_filename = "caf\\C3\\A9.c"
@"\\FFodd" = global i32 0
define void @"\\C3\\A9t\\C3\\A9"() !dbg !3 {
  ret void
}
!1 = !DIFile(filename: "caf\\C3\\A9.c", directory: "/home/\\E5\\B1\\B1/\\22q\\22")
!3 = distinct !DISubprogram(name: "\\C3\\A9t\\C3\\A9", scope: !1, file: !1, line: 3)
`);
    expect(module.faults).toEqual([]);
    expect(module.sourceName).toBe('café.c');
    expect([...module.globals.keys()]).toEqual(['\xffodd']);
    expect([...module.functions.keys()]).toEqual(['été']);
    expect(module.debug.subprogram(idOf<MetadataId>(3))).toMatchObject({
      name: 'été',
      file: 'café.c',
      directory: '/home/山/"q"',
    });
  });

  it('reports the right line for each of many faults', () => {
    const count = 40_000;
    const body = '  %1 = conjure i32 7\n'.repeat(count);
    const strange = readModule(`frobnicate all\n\ndefine void @f() {\n${body}  ret void\n}\nfrobnicate\n`);
    expect(strange.faults.map(({ at }) => at.line)).toEqual([1, count + 6]);
    const { faults } = readBody(strange, strange.functions.get('f') as never);
    expect(faults.map(({ at }) => at.line)).toEqual(Array.from({ length: count }, (_, at) => at + 4));
  });

  it('reports an unclosed quote after a label and at the start of a function', () => {
    for (const before of ['', 'next:\n']) {
      const strange = readModule(`define void @f() {\n${before}"\n  ret void\n}\n`);
      const { blocks, faults } = readBody(strange, strange.functions.get('f') as never);
      expect(faults).toHaveLength(1);
      expect(blocks.at(-1)?.terminator.op).toBe('ret');
    }
  });

  it('never throws, whatever is removed from the text or inserted', () => {
    const position = fc.nat(typed.length);
    fc.assert(
      fc.property(position, fc.nat(40), fc.string({ maxLength: 20 }), (at, length, put) => {
        const damaged = readModule(typed.slice(0, at) + put + typed.slice(at + length));
        for (const fn of damaged.functions.values()) {
          const { blocks } = readBody(damaged, fn);
          for (const block of blocks)
            for (const { location } of [...block.instructions, block.terminator])
              damaged.debug.position(location);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('typeText', () => {
  const type: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 1, max: 200 }).map((bits): Type => ({ kind: 'integer', bits })),
      fc.constantFrom<Type>(
        { kind: 'float', format: 'double' },
        { kind: 'pointer', to: undefined, space: 0 },
        { kind: 'pointer', to: undefined, space: 3 },
        { kind: 'named', name: 'struct.P' },
        { kind: 'named', name: 'class.std::vector<int>' },
      ),
      tie('type').map((to): Type => ({ kind: 'pointer', to, space: 0 })),
      fc.tuple(fc.nat(9), tie('type')).map(([length, of]): Type => ({ kind: 'array', length, of })),
      fc
        .tuple(fc.nat(9), fc.boolean(), tie('type'))
        .map(([length, isScalable, of]): Type => ({ kind: 'vector', length, isScalable, of })),
      fc
        .tuple(fc.array(tie('type'), { maxLength: 3 }), fc.boolean())
        .map(([fields, isPacked]): Type => ({ kind: 'struct', fields, isPacked })),
      fc
        .tuple(tie('type'), fc.array(tie('type'), { maxLength: 3 }), fc.boolean())
        .map(
          ([result, parameters, isVariadic]): Type => ({ kind: 'function', result, parameters, isVariadic }),
        ),
    ),
  })).type;

  it('prints a type as it was read', () => {
    fc.assert(
      fc.property(type, (written) => {
        expect(readType(new Scanner(typeText(written)))).toEqual(written);
      }),
    );
  });
});
