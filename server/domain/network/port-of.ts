/** The port of a URL, even where it is the default of the protocol and not written. */
export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))
