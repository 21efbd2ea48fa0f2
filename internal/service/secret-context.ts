/** Encryption contexts, which bind a ciphertext to its place so that it cannot be moved. */
export const variableContext = (key: string): string => `variables|${key}`
export const resourceContext = (key: string): string => `resources|${key}`
export const gitAuthContext = (id: string): string => `git_sources|${id}`
