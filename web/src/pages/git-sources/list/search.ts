/** Whether the form of a new git source is open; the address holds it, so that other pages lead there. */
export type GitSourcesSearch = Readonly<{ form?: 'new' }>

export const readGitSourcesSearch = ({ form }: Record<string, unknown>): GitSourcesSearch =>
  form === 'new' ? { form } : {}
