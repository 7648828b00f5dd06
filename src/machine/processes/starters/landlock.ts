import { findProgram } from '../../this-machine.js';
import { markerVariable, type Rlimit, type Starter } from './starter.js';

/**
 * Like the shell's script, but confines the command with Linux's Landlock (5.13 and newer): it can write only to its
 * own folder and its output. Landlock needs no root rights and holds for all descendants. A shell cannot make the
 * system calls; perl, which most systems have, can.
 *
 * The script also becomes the subreaper of its runs, so that a process that leaves its group and session is still
 * found below it.
 *
 *     perl -e SCRIPT OWNER MARKER ROOT CALLS HOMES WRITABLE…
 */
const script = String.raw`
my ($owner, $marker, $root, $calls, $homes, @writable) = @ARGV;
my @homes = split /\n/, $homes;
my ($prctl, $setrlimit, $getrusage) = split /,/, $calls;
my ($create, $add, $restrict) = (444, 445, 446);
my ($no_new_privileges, $reaper) = (38, 36);
my %limits = ('-t' => 0, '-f' => 1, '-c' => 4, '-u' => 6, '-v' => 9);
my $writing = 2; my $truncating = 1 << 14; my $ioctl = 1 << 15;
my $null = 0;

syscall($prctl, $reaper, 1, 0, 0, 0) unless @homes;
my $abi = syscall($create, $null, 0, 1);

sub say_line { my $line = "$_[0]\n"; syswrite STDOUT, $line }

# Everything that changes files, as far as this kernel knows it.
sub rules {
  return -1 if $abi < 1;
  my $all = $writing | 0x1ff0;
  $all |= 1 << 13 if $abi >= 2;
  $all |= $truncating if $abi >= 3;
  $all |= $ioctl if $abi >= 5;
  # Signals and abstract sockets go to processes of the same run only.
  my $attributes = $abi >= 6 ? pack('QQQ', $all, 0, 3) : pack('Q', $all);
  my $set = syscall($create, $attributes, length $attributes, 0);
  return -1 if $set < 0;
  allow($set, $_, $all) for "$root/$_[0]", @writable;
  allow($set, '/dev/null', $writing);
  return $set;
}

sub allow {
  my ($set, $path, $rights) = @_;
  open my $file, '<', $path or return;
  allow_file($set, fileno $file, $rights);
}

sub allow_file {
  my ($set, $number, $rights) = @_;
  my $rule = pack 'Ql', $rights, $number;
  syscall($add, $set, 1, $rule, 0);
}

sub limit {
  my ($flag, $value) = @_;
  my $both = pack 'QQ', $value, $value;
  syscall($setrlimit, $limits{$flag}, $both);
}

# Every word of a run is written in one go, and nothing else until the run has ended.
sub words {
  my ($run) = @_;
  my ($text, @lines) = ('');
  until (@lines > 1 && $text =~ /\n\z/ && @lines >= $lines[1] + 2) {
    my $got = sysread STDIN, $text, 1 << 16, length $text;
    exit 0 unless $got;
    @lines = split /\n/, $text, -1;
    pop @lines;
  }
  my ($name, $count, @words) = @lines;
  exit 125 unless $name eq $run && $count == @words;
  return @words;
}

sub start {
  my ($run) = @_;
  setpgrp 0, 0 unless @homes;
  for my $home (@homes) {
    open my $gate, '>', "$home/$run/cgroup.procs" or exit 125;
    syswrite $gate, '0' or exit 125;
    close $gate;
  }
  my $set = rules($run);
  say_line 'ready';
  my @words = words($run);
  say_line 'go';
  open STDIN, '<', "$root/$run.smt2" or exit 125;
  open STDOUT, '>', "$root/$run.out" or exit 125;
  open STDERR, '>', "$root/$run.err" or exit 125;
  while (@words > 1 && $words[0] ne '--') {
    limit(splice @words, 0, 2);
  }
  shift @words;
  chdir "$root/$run" or exit 125;
  $ENV{HOME} = $ENV{TMPDIR} = "$root/$run";
  $ENV{$marker} = "$owner:$run;";
  if ($set >= 0) {
    # A command may open its own output by name: /dev/stdout.
    allow_file($set, $_, $abi >= 3 ? $writing | $truncating : $writing) for 1, 2;
    syscall($prctl, $no_new_privileges, 1, 0, 0, 0);
    syscall($restrict, $set, 0);
  }
  exec { $words[0] } @words;
  my $missing = $! == 2;
  syswrite STDERR, "$words[0]: " . ($missing ? 'not found' : "cannot be started: $!") . "\n";
  exit($missing ? 127 : 126);
}

sub told_times {
  my $usage = "\0" x 512;
  syscall($getrusage, -1, $usage);
  my ($user, $user_micro, $system, $system_micro) = unpack 'q4', $usage;
  return sprintf '0m%.6fs 0m%.6fs', $user + $user_micro / 1e6, $system + $system_micro / 1e6;
}

while (1) {
  my $run = '';
  while (sysread STDIN, my $letter, 1) {
    last if $letter eq "\n";
    $run .= $letter;
  }
  last if $run eq '';
  my $child = fork;
  if (!defined $child) {
    say_line 'status 125';
    next;
  }
  start($run) if $child == 0;
  say_line "pid $child" unless @homes;
  # Orphans that have ended are taken in on the way.
  my $ended;
  do { $ended = waitpid -1, 0 } until $ended == $child || $ended < 0;
  my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  say_line told_times() unless @homes;
  say_line "status $status";
}
`;

/** The numbers of prctl, setrlimit and getrusage; Landlock's are the same everywhere. */
const systemCalls: Readonly<Partial<Record<NodeJS.Architecture, readonly number[]>>> = {
  x64: [157, 160, 98],
  arm64: [167, 164, 165],
};

/** Undefined if perl is missing or the system is not supported. */
export function landlockStarter(): Starter | undefined {
  const calls = process.platform === 'linux' ? systemCalls[process.arch] : undefined;
  const perl = findProgram('perl');
  if (calls === undefined || perl === undefined) return undefined;
  return {
    words: ({ owner, root, groupHomes, writable = [] }) => [
      ...[perl, '-e', script],
      ...[owner, markerVariable, root, calls.join(), groupHomes.join('\n'), ...writable],
    ],
    inUnits: ([, value]: Rlimit) => Math.ceil(value),
    isReaper: true,
  };
}
