# Never ends, without using the processor.
exec sleep 1000
