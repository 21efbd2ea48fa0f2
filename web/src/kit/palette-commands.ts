/** The actions that a page adds to the palette while it is open. */
import { useEffect, useEffectEvent } from 'react'
import { createPageValue } from '../browser/page-value.ts'

export type Command = Readonly<{ label: string; run: () => void }>

const commands = createPageValue<readonly Command[]>([])

export const usePaletteCommands = commands.use

/** Offers a command while the component is mounted. Null offers none, because the action is not possible now or for this person. */
export const usePaletteCommand = (label: string | null, run: () => void): void => {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (label === null) return
    const own: Command = { label, run: () => act() }
    commands.set([...commands.get(), own])
    return () => commands.set(commands.get().filter((each) => each !== own))
  }, [label])
}
