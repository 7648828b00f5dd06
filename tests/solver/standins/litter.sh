# Leaves files in its directory, its home and its folder for temporary files, then answers.
mkdir -p a/b && echo x >a/b/c && echo x >"$HOME/d" && echo x >"$TMPDIR/e"
echo sat
