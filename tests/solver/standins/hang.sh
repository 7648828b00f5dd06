# Never ends and uses no processor time.
exec sleep 1000
