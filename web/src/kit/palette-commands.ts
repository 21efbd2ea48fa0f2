/** The actions that a page adds to the palette while it is open. */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export type Command = Readonly<{ label: string; run: () => void }>

let commands: readonly Command[] = []
const listeners = new Set<() => void>()

const become = (next: readonly Command[]): void => {
  commands = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePaletteCommands = (): readonly Command[] =>
  useSyncExternalStore(subscribe, () => commands)

/** Offers a command while the component is mounted. Null offers none, because the action is not possible now or for this person. */
export const usePaletteCommand = (label: string | null, run: () => void): void => {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (label === null) return
    const own: Command = { label, run: () => act() }
    become([...commands, own])
    return () => become(commands.filter((each) => each !== own))
  }, [label])
}
