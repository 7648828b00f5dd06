# A child holds all it reads; the parent would go on.
tail /dev/zero
echo sat
