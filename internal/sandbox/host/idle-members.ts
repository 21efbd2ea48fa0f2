/** Processes that wait for another job of their key. Their number is limited: the one that has waited the longest makes room. */
import type { Member } from './pool-member.ts'

export interface IdleMembers {
  /** Processes in the order in which they became idle. */
  list(): readonly Member[]
  remove(member: Member): void
  /** Takes the process that was used last, because its caches are warm. */
  take(key: string): Member | undefined
  /** Returns the processes that must make room. */
  add(key: string, member: Member): readonly Member[]
}

/** Creates an empty collection. @param limit the maximum number of idle processes */
export const createIdleMembers = (limit: number): IdleMembers => {
  const byKey = new Map<string, Member[]>()
  const all = new Set<Member>()

  const remove = (member: Member): void => {
    if (!all.delete(member) || member.key === null) return
    const rest = byKey.get(member.key)?.filter((other) => other !== member) ?? []
    if (rest.length === 0) byKey.delete(member.key)
    else byKey.set(member.key, rest)
  }

  return {
    list: () => [...all],
    remove,
    take: (key) => {
      const member = byKey.get(key)?.at(-1)
      if (member !== undefined) remove(member)
      return member
    },
    add: (key, member) => {
      const members = byKey.get(key)
      if (members === undefined) byKey.set(key, [member])
      else members.push(member)
      all.add(member)
      return all.size <= limit ? [] : [...all].slice(0, all.size - limit)
    },
  }
}
