const causes: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|name resolution|Name or service|getaddrinfo/i, 'its host name cannot be resolved'],
  [/ECONNREFUSED|Connection refused/i, 'the connection is refused'],
  [/ENETUNREACH|EHOSTUNREACH|unreachable|No route/i, 'there is no route to it'],
  [/certificate|CERT_|SELF_SIGNED/i, 'its certificate is not trusted'],
  [/ETIMEDOUT|timed? ?out/i, 'it does not answer in time'],
  [/ECONNRESET|Connection aborted|reset by peer|connection broken/i, 'the connection breaks off'],
];

/** A short message if the output of a package client shows a network failure, else undefined. */
export function networkFailure(client: 'npm' | 'pip', words: string): string | undefined {
  const cause = causes.find(([pattern]) => pattern.test(words))?.[1];
  return cause === undefined
    ? undefined
    : `${client} cannot reach its package index (${cause}): check the network, or name a local solver, such as path:FILE`;
}
