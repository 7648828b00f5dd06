# Leaves files in its directory, in its home and in its folder for temporary files.
mkdir -p a/b && echo x >a/b/c && echo x >"$HOME/d" && echo x >"$TMPDIR/e"
echo sat
