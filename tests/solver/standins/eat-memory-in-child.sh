# A child holds everything it reads; the parent would continue.
tail /dev/zero
echo sat
