# Tries to write, change and remove files in the foreign folder $1, then answers.
{
  echo x >"$1/new"
  echo x >>"$1/there"
  rm "$1/there"
  mv "$1/there" "$1/moved"
  mkdir "$1/folder"
  ln -s /etc "$1/link"
  true >"$1/there"
} 2>/dev/null
echo x >own && echo x >/dev/null && echo sat >/dev/stdout
