const SHAPE = /^[a-z0-9][a-z0-9-]{0,62}$/

export const isWorkspaceId = (text: string): boolean => SHAPE.test(text)

/** The sentence for a text that is not a workspace id. */
export const WORKSPACE_ID_RULE =
  'A workspace id has 1 to 63 characters a-z, 0-9 and -, and begins with a letter or digit.'
