const causes: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|name resolution|Name or service|getaddrinfo/i, 'its name cannot be looked up'],
  [/ECONNREFUSED|Connection refused/i, 'the connection is refused'],
  [/ENETUNREACH|EHOSTUNREACH|unreachable|No route/i, 'there is no way to it'],
  [/certificate|CERT_|SELF_SIGNED/i, 'its certificate is not trusted'],
  [/ETIMEDOUT|timed? ?out/i, 'it does not answer in time'],
  [/ECONNRESET|Connection aborted|reset by peer|connection broken/i, 'the connection breaks off'],
];

/** A short message if the output of a package client shows a network failure, else undefined. */
export function unreachable(client: 'npm' | 'pip', words: string): string | undefined {
  const why = causes.find(([pattern]) => pattern.test(words))?.[1];
  return why === undefined
    ? undefined
    : `${client} cannot reach its package index (${why}): check the network, or name a solver that is here, path:FILE`;
}
