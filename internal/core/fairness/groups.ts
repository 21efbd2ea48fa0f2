/** Members by owner, each owner's in the order in which they joined it. A member has one owner at a time. */
export interface Groups<T> {
  /** Adds a member to an owner, after that owner's others; it leaves the owner that it had. */
  join(owner: string, member: T): void
  leave(member: T): void
  ownerOf(member: T): string | undefined
  sizeOf(owner: string): number
  /** Returns the owner with most members, the first such one, and its first member; null if there is none. */
  largest(): Readonly<{ owner: string; size: number; first: T }> | null
}

export const createGroups = <T>(): Groups<T> => {
  const owners = new Map<T, string>()
  const groups = new Map<string, Set<T>>()

  const leave = (member: T): void => {
    const owner = owners.get(member)
    if (owner === undefined) return
    owners.delete(member)
    const group = groups.get(owner)
    group?.delete(member)
    if (group?.size === 0) groups.delete(owner)
  }
  return {
    join: (owner, member) => {
      leave(member)
      owners.set(member, owner)
      const group = groups.get(owner)
      if (group === undefined) groups.set(owner, new Set([member]))
      else group.add(member)
    },
    leave,
    ownerOf: (member) => owners.get(member),
    sizeOf: (owner) => groups.get(owner)?.size ?? 0,
    largest: () => {
      let found: readonly [string, ReadonlySet<T>] | null = null
      for (const each of groups) if (each[1].size > (found?.[1].size ?? 0)) found = each
      if (found === null) return null
      const [owner, members] = found
      for (const first of members) return { owner, size: members.size, first }
      return null
    },
  }
}
