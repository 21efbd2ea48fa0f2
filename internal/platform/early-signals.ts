/**
 * Handles signals from the first code of the binary on, until the node does (cmd/svc/commands/start.ts). A process without a handler
 * loses SIGTERM as the first process of a container, and ends by SIGHUP even if nohup started it.
 */
import process from 'node:process'
import { isatty } from 'node:tty'

const NODES: readonly unknown[] = ['start', 'server', 'worker', 'scheduler']
const DESCRIPTORS = [0, 1, 2]

export const hasTerminal = (): boolean => DESCRIPTORS.some(isatty)

// nothing is open yet that must be closed
const end = (): void => process.exit(0)

/** @param command the first argument; other commands end by signals as usual */
export const handleEarlySignals = (command: string | undefined): void => {
  if (!NODES.includes(command)) return
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', hasTerminal() ? end : () => undefined)
}

/** Replaces all handlers of a signal, without losing one that has arrived and was not handled yet. */
export const takeOver = (signal: NodeJS.Signals, handler: (name: string) => void): void => {
  const earlier = process.listeners(signal)
  process.on(signal, handler)
  for (const listener of earlier) process.off(signal, listener)
}
