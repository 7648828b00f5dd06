# Never stops answering.
exec yes sat
