# Holds everything it reads.
exec tail /dev/zero
