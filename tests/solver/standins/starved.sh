# Works for 200 ms with a third of a core, as on a busy machine, then answers.
cat >/dev/null
exec perl -e 'use Time::HiRes qw(sleep);
my $worked = 0;
while ($worked < 0.2) {
  my $before = (times)[0] + (times)[1];
  1 while (times)[0] + (times)[1] < $before + 0.02;
  $worked = (times)[0] + (times)[1];
  sleep 0.04;
}
print "sat\n";'
