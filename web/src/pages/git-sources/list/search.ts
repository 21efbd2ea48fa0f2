/** Whether the form for a new git source is open. Stored in the address, so that other pages can link to it. */
export type GitSourcesSearch = Readonly<{ form?: 'new' }>

export const readGitSourcesSearch = ({ form }: Record<string, unknown>): GitSourcesSearch =>
  form === 'new' ? { form } : {}
