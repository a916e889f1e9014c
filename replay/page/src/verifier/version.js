// The version of the protocol, and the labels and first lines that carry it: protocol.md.

export const PROTOCOL_VERSION = 4;

/** What stands before all that is signed (the signatures add the zero byte) or hashed. */
export const label = (use) => `nodealer ${use} v${PROTOCOL_VERSION}`;

/** The first line of a file of this kind. */
export const magic = (kind) => `nodealer ${kind} ${PROTOCOL_VERSION}\n`;
