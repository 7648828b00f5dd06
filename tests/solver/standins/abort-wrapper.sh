# A wrapper whose solver was aborted after it had answered.
echo sat
exit 134
