/** Where an encrypted value stands; it opens nowhere else. */
export const variableContext = (key: string): string => `variables|${key}`
export const resourceContext = (key: string): string => `resources|${key}`
export const gitAuthContext = (id: string): string => `git_sources|${id}`
