#!/bin/sh
# culprit-cc and culprit-c++: run clang and clang++, and embed the IR of sources in their objects.
#
# A shell script, because Node takes longer to start than clang needs for a small file. compile-plan.ts has the same rules
# for the calls that this script leaves to Node; a test compares the two.

me=${0##*/}
case $me in
*++*) plain=clang++ setting=CULPRIT_CXX chosen=${CULPRIT_CXX-} ;;
*) plain=clang setting=CULPRIT_CC chosen=${CULPRIT_CC-} ;;
esac

fail() {
  printf '%s: %s\n' "$me" "$1" >&2
  exit 3
}

# Functions return results in variables, because a substitution would start a process.
set -f
IFS=:

# The first program of a name on PATH that is not this script.
on_path() {
  file=
  for folder in $PATH; do
    file=${folder:-.}/$1
    if [ -x "$file" ] && [ -f "$file" ] && ! [ "$file" -ef "$0" ]; then return; fi
  done
  file=
}

newest() {
  on_path "$1"
  unnumbered=$file compiler=
  for number in 21 20 19 18 17 16 15 14; do
    on_path "$1-$number"
    if [ -z "$file" ]; then continue; fi
    if [ -z "$compiler" ]; then compiler=$file newest=$number; fi
    # The unnumbered program is usually one of the numbered ones.
    if [ "$file" -ef "$unnumbered" ]; then return; fi
  done
  if [ -z "$compiler" ]; then
    compiler=$unnumbered
  elif [ -n "$unnumbered" ]; then
    number=$("$unnumbered" -dumpversion 2>/dev/null)
    number=${number%%.*}
    case $number in
    '' | *[!0-9]*) ;;
    *) if [ "$number" -gt "$newest" ]; then compiler=$unnumbered; fi ;;
    esac
  fi
  if [ -z "$compiler" ]; then fetched "$1"; fi
}

# The clang that `culprit tools add clang` downloaded; toolchain.ts has the same path.
fetched() {
  case ${XDG_CACHE_HOME-} in
  /*) cache=$XDG_CACHE_HOME/culprit ;;
  *) cache=${HOME-}/.cache/culprit ;;
  esac
  case $(uname -sm 2>/dev/null) in
  'Linux x86_64') compiler=${CULPRIT_CACHE:-$cache}/tools/clang+linux-x64/bin/$1 ;;
  'Linux aarch64') compiler=${CULPRIT_CACHE:-$cache}/tools/clang+linux-arm64/bin/$1 ;;
  esac
  if ! [ -x "$compiler" ]; then compiler=; fi
}

if [ -n "${CULPRIT_COMPILING-}" ]; then
  fail "the clang it found leads back to it: set $setting to the path of the real one."
fi
export CULPRIT_COMPILING=1

case $chosen in
'') newest "$plain" ;;
*/*)
  compiler=$chosen
  if ! [ -x "$compiler" ] || ! [ -f "$compiler" ]; then compiler=; fi
  if [ "$compiler" -ef "$0" ]; then fail "$setting names this program itself: set it to a clang."; fi
  ;;
*)
  on_path "$chosen"
  compiler=$file
  ;;
esac
if [ -z "$compiler" ]; then
  if [ -n "$chosen" ]; then
    fail "$setting is set to $chosen, which is no program: correct it, or unset it for the newest clang on PATH."
  fi
  fail "there is no $plain on PATH: install clang 14 or newer, set $setting to the path of one, or run \
\`culprit tools add clang\`, which needs no root rights."
fi

# The first word of a call, or the environment for a whole build, requests programs that record their runs.
if [ "${1-}" = --trace ]; then
  shift
  export CULPRIT_TRACE=1
fi

line='
'
has_file= is_foreign= is_other= stops= is_assembly= is_object= is_lto= is_ir= language= output=
has_source= has_assembler= objects= assemblies= before=

# Notes the default output of a file to compile. Inputs of the linker have none.
source_file() {
  stem=${1##*/}
  case $stem in
  ?*.*) stem=${stem%.*} ;;
  esac
  objects=$objects$stem.o$line
  assemblies=$assemblies$stem.s$line
}

# Reads the options that decide which options to add and which files come out. Foreign objects cannot contain IR: objects
# that are not ELF files, or that another compiler than clang writes.
if [ -d /System/Library/Frameworks ]; then is_foreign=1; fi
for word do
  case $before in
  -o | --output) output=$word before= && continue ;;
  -x | --language) language=$word before= && continue ;;
  -target | --target) before= word=--target=$word ;;
  -Xclang)
    case $word in -emit-llvm*) is_ir=1 ;; esac
    before=
    continue
    ;;
  -[ABDFILTUbehluz] | -M[FJQT] | -X* | -arch | -aux-info | -cxx-isystem | -dependency-* | -dumpbase | -dumpdir | \
    -framework | -idirafter | -iframework | -imacros | -imultilib | -include | -include-pch | -index-store-path | \
    -install_name | -iprefix | -iquote | -isysroot | -isystem | -isystem-after | -ivfsoverlay | -iwith* | -mllvm | \
    -mmlir | -module-dependency-dir | -resource-dir | -serialize-diagnostics | -soname | -stdlib++-isystem | \
    -working-directory | --config | --define-macro | --for-linker | --gcc-toolchain | --imacros | --include | \
    --include-directory | --library-directory | --param | --serialize-diagnostics | --sysroot | --undefine-macro)
    before=
    continue
    ;;
  *) before=$word ;;
  esac
  case $word in
  # If the file does not exist, the word is an ordinary input.
  @*) if [ -f "${word#@}" ]; then has_file=1; fi ;;
  --target=*-apple* | --target=*darwin* | --target=*-macos* | --target=*-ios*) is_foreign=1 ;;
  --target=*-windows* | --target=*mingw* | --target=*-cygwin* | --target=*wasm* | --target=*-aix*) is_foreign=1 ;;
  --target=*) is_foreign= ;;
  -cc1 | -cc1as | -cc1gen-reproducer | --driver-mode=cl | --driver-mode=flang | --driver-mode=dxc) is_other=1 ;;
  -E | -M | -MM | --preprocess | -fsyntax-only | --analyze | --precompile | -'###' | --version | --help | \
    -print-* | --print-* | -dumpversion | -dumpmachine) stops=1 ;;
  -S | --assemble) is_assembly=1 ;;
  -c | --compile) is_object=1 ;;
  -flto | -flto=*) is_lto=1 ;;
  -fno-lto) is_lto= ;;
  -emit-llvm* | -fembed-bitcode | -fembed-bitcode=all | -fembed-bitcode=bitcode) is_ir=1 ;;
  -o?*) output=${word#-o} ;;
  --output=*) output=${word#*=} ;;
  -x?*) language=${word#-x} ;;
  --language=*) language=${word#*=} ;;
  -?*) ;;
  *)
    case $language in
    '' | none)
      case $word in
      *.[sS] | *.sx) has_assembler=1 && source_file "$word" ;;
      *.[cCmMi] | *.cc | *.CC | *.cp | *.[cC]++ | *.cpp | *.CPP | *.cxx | *.CXX | *.mm | *.mi | *.mii | *.ii | \
        *.ccm | *.cppm | *.cxxm | *.c++m | *.iim | *.pcm | *.ll | *.bc)
        has_source=1
        source_file "$word"
        ;;
      esac
      ;;
    assembler*) has_assembler=1 && source_file "$word" ;;
    *) has_source=1 && source_file "$word" ;;
    esac
    ;;
  esac
done

if [ -n "$is_other$stops" ] && [ -z "$has_file" ]; then exec "$compiler" "$@"; fi

case ${compiler##*/} in
clang*) ir_compiler=$compiler ;;
*)
  is_foreign=1 chosen_compiler=$compiler
  newest "$plain"
  ir_compiler=$compiler compiler=$chosen_compiler
  ;;
esac

on_path perl
perl=$file
is_traced=
if [ "${CULPRIT_TRACE-}" = 1 ]; then is_traced=1; fi
if [ -n "$has_file$is_foreign$is_traced" ] || [ -z "$perl" ]; then
  on_path node
  here=$0
  while [ -h "$here" ]; do
    link=$(readlink "$here")
    case $link in
    /*) here=$link ;;
    *) here=${here%/*}/$link ;;
    esac
  done
  entry=${here%/*}/../../../dist/bin/cc.js
  if [ -n "$file" ] && [ -f "$entry" ]; then exec "$file" "$entry" "$compiler" "$ir_compiler" "$@"; fi
  if [ -n "$is_traced" ]; then fail 'recording a run needs Node.js on PATH.'; fi
  # Compiling matters more than the IR.
  exec "$compiler" "$@"
fi

if [ -n "$output" ]; then
  made=$output
elif [ -n "$is_assembly" ]; then
  made=$assemblies
elif [ -n "$is_object" ]; then
  made=$objects
else
  made=a.out
fi
# Standard output and devices cannot be changed afterwards. Without compiling or linking there is no IR.
case $made in
- | /dev/* | '') exec "$compiler" "$@" ;;
esac
if [ -z "$has_source" ] && [ -n "$is_assembly$is_object" ]; then exec "$compiler" "$@"; fi

# Options go first, so that options of the call about debug information override them. Assembler gets none, because they
# conflict with the debug information that a compiler wrote. For link-time optimization, -O0 code keeps its attribute
# optnone: otherwise the link would optimize it.
if [ -z "$has_source" ]; then
  "$compiler" "$@"
elif [ -n "$is_ir" ]; then
  exec "$compiler" --start-no-unused-arguments -g --end-no-unused-arguments "$@"
elif [ -n "$is_lto" ]; then
  "$compiler" --start-no-unused-arguments -g -Xclang -fembed-bitcode=all --end-no-unused-arguments "$@"
else
  "$compiler" --start-no-unused-arguments -g -Xclang -fembed-bitcode=all -Xclang -disable-O0-optnone \
    --end-no-unused-arguments "$@"
fi
code=$?

# Renames the section .llvmbc to llvmbc: LLVM's plugin for ar, nm and ranlib treats any object with a section .llvmbc as
# an object still to be compiled, and hides its real symbols.
IFS=$line
# No locale warnings of perl, and no options from the environment.
if [ -n "$is_assembly" ]; then
  PERL_BADLANG=0 PERL5OPT= "$perl" -e '
    for my $path (@ARGV) {
      -f $path && open(my $in, "<:raw", $path) or next;
      my $text = join "", <$in>;
      $text =~ s/^(\t\.section\t)\.(llvmbc,)/$1$2/mg or next;
      open(my $out, ">:raw", $path) or next;
      print $out $text;
    }' -- $made
else
  PERL_BADLANG=0 PERL5OPT= "$perl" -e '
    sub part {
      my ($file, $at, $size) = @_;
      my $bytes;
      return seek($file, $at, 0) && read($file, $bytes, $size) == $size ? $bytes : "";
    }
    for my $path (@ARGV) {
      -f $path && open(my $file, "+<:raw", $path) or next;
      my $head = part($file, 0, 52);
      my ($wide, $little) = $head =~ /^\x7fELF([\1\2])([\1\2])/ ? ($1 eq "\2", $2 eq "\1") : next;
      my ($half, $word) = $little ? qw(v V) : qw(n N);
      my $number = sub {
        my ($bytes, $at) = @_;
        my ($first, $second) = unpack("x$at $word $word", $bytes);
        return !$wide ? $first : $little ? $first + $second * 2**32 : $first * 2**32 + $second;
      };
      my ($table_at, $sizes_at, $offset_at, $size_at, $link_at) = $wide ? (40, 58, 24, 32, 40) : (32, 46, 16, 20, 24);
      $head = part($file, 0, 64) if $wide;
      next if !$head;
      my ($entry, $count, $names) = unpack("x$sizes_at $half $half $half", $head);
      my $table = $number->($head, $table_at);
      my $first = part($file, $table, $entry);
      next if $entry < ($wide ? 64 : 40) || !$first;
      $count ||= $number->($first, $size_at);
      $names = unpack("x$link_at $word", $first) if $names == 0xffff;
      my $entries = part($file, $table, $entry * $count) or next;
      next if $names >= $count;
      my $named = substr($entries, $entry * $names, $entry);
      my $text = part($file, $number->($named, $offset_at), $number->($named, $size_at));
      for my $at (map { $_ * $entry } 0 .. $count - 1) {
        my $name = unpack("x$at $word", $entries);
        next if $name > length($text) || substr($text, $name, 8) ne ".llvmbc\0";
        seek($file, $table + $at, 0);
        print $file pack($word, $name + 1);
      }
    }' -- $made
fi
exit "$code"
