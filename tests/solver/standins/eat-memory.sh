# Holds all it reads.
exec tail /dev/zero
