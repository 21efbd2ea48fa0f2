/** Encryption contexts, which bind a ciphertext to its place so that it cannot be moved. */
export const variableContext = (key: string): string => `variables|${key}`
/** The context to which the encryption of a resource is bound. */
export const resourceContext = (key: string): string => `resources|${key}`
/** The context to which the encryption of a git source's credential is bound. */
export const gitAuthContext = (id: string): string => `git_sources|${id}`
