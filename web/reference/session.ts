/** Reads who is signed in on this server, and which workspaces they can open. */
export type SignedIn = Readonly<{ email: string; workspaces: readonly string[] }>

/** @returns null if no person is signed in @throws {TypeError} the server cannot be reached */
export const readSession = async (): Promise<SignedIn | null> => {
  const read = (path: string) => fetch(path, { credentials: 'same-origin', cache: 'no-store' })
  const me = await read('/api/auth/me')
  if (!me.ok) return null
  const { email = '' }: Readonly<{ email?: string }> = await me.json()
  const answer = await read('/api/auth/workspaces')
  const { items }: Readonly<{ items: readonly Readonly<{ id: string }>[] }> = answer.ok
    ? await answer.json()
    : { items: [] }
  return { email, workspaces: items.map(({ id }) => id) }
}
