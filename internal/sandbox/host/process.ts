/**
 * One guest process from the host's side: a pipe to write lines to, frames and raw output that come back, and its end. A
 * kill ends the whole process group by SIGKILL. On Linux the kernel sends the signal too when this process dies.
 *
 * Nothing here throws or rejects for what a guest does: every kind of end is an `ExitReport`.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync } from 'node:fs'
import process from 'node:process'
import type { GuestEgress } from '../egress/guest-egress.ts'
import type { GuestCgroup } from '../linux/guest-cgroup.ts'
import { untilDiesWithParent } from '../linux/parent-death.ts'
import { type Child, killTree } from '../linux/process-kill.ts'
import { createRuntimePid } from '../linux/process-tree.ts'
import { createSocketMemory, NO_SOCKETS, type SocketMemory } from '../linux/socket-memory.ts'
import type { WrappedCommand } from '../linux/wrap-command.ts'
import { helloLine, type NetworkEntry } from '../protocol/messages.ts'
import { folderDisk, type GuestDisk, hiddenDisk } from './disk.ts'
import { makeGuestFolder, removeGuestFolder } from './folder.ts'
import { type ExitReport, type GuestListener, readOutput } from './reader.ts'

export type GuestCommand = WrappedCommand &
  Readonly<{
    /** The complete environment; nothing is inherited. */
    env: Readonly<Record<string, string>>
    /** It runs in its own namespaces: it does not see the host's processes, and its temporary folder is not on the host. */
    isHidden?: boolean
    /** It does not see the host's processes, but its temporary folder is on the host. */
    isApart?: boolean
    /** Its only way to the network. @default none, or the runtime has its own */
    egress?: GuestEgress
    /** Where the guest finds the socket of its egress proxy. */
    egressPath?: string
    /** Destinations on its own loopback that it must send to the egress proxy. @default none */
    loopback?: readonly NetworkEntry[]
    /**
     * For a guest that shares the host's network: destinations of fetch that go
     * to the egress proxy. @default the guest has its own network
     */
    shared?: readonly NetworkEntry[]
    /** The control group that counts and limits it. @default none */
    group?: GuestCgroup
  }>

/** Builds the command for one guest. `folder` is the guest's own temporary folder, still empty. */
export type CommandFor = (folder: string) => GuestCommand

type ProcessEnd = Pick<ExitReport, 'code' | 'signal' | 'startError'>

export interface GuestProcess {
  /** Null if the process could not be started. */
  readonly pid: number | null
  /** Whether it runs in its own namespaces; `pid` is then the process outside of them. */
  readonly isHidden: boolean
  /** Measures its temporary folder, which is gone when it has ended. */
  readonly disk: GuestDisk
  /** Measures what the kernel buffers in its sockets, if it has its own network. */
  readonly sockets: SocketMemory
  /** Null if it has no network traffic that the host counts. */
  readonly egress: GuestEgress | null
  /** Resolves when the guest waits for its first run, or has ended before. */
  readonly ready: Promise<void>
  /** Resolves when the process and its folder are gone. */
  readonly ended: Promise<ExitReport>
  /** The process that runs user code, or the first process if that is unknown. */
  runtimePid(): number | null
  /** True until the process has ended or was killed. */
  alive(): boolean
  /** Sets the receiver of frames and output. Null: output is dropped. */
  listen(listener: GuestListener | null): void
  /** Sets the maximum size of a frame, in bytes. */
  setFrameLimit(bytes: number): void
  /** @param line or a part of one, in UTF-8 */
  send(line: string | Uint8Array): void
  /** Like `send`, but resolves when the line has left this process or the guest has ended. Unread lines are buffered here. */
  deliver(line: string): Promise<void>
  /** Stops reading from the guest until the returned function is called. A guest that is not read blocks. */
  hold(): () => void
  /** Kills the guest. Nothing that it wrote or writes is read any more. */
  kill(): void
}

/** From bwrap to its first process inside, and from there to the runtime. */
const CONFINE_GENERATIONS = 2
/** How long the pipes may stay open after the guest has died, in milliseconds. */
const PIPE_GRACE_MS = 500

const spawnGuest = (folder: string, { command, args, env, user, owner }: GuestCommand): Child => {
  if (owner !== null) chownSync(folder, owner.uid, owner.gid)
  const child = spawn(command, args, {
    env,
    cwd: folder,
    // the command redirects stderr to stdout, so that a job's writes to both stay in order
    stdio: ['pipe', 'pipe', 'ignore'],
    // its own group: a signal from the terminal must not end jobs that may finish, and a kill reaches the whole group
    detached: true,
    ...(user ?? {}),
  })
  // without descriptors there are no pipes, and the error comes as an event
  if (child.stdin === undefined) {
    child.once('error', () => undefined)
    throw Object.assign(new Error('The host is out of file descriptors.'), { code: 'EMFILE' })
  }
  return child
}

/** Reports the death of the process at once, and how it ended once its pipes are read to the end. */
const onEnd = (
  child: Child,
  {
    kill,
    died,
    done,
  }: Readonly<{ kill: () => void; died: () => void; done: (end: ProcessEnd) => Promise<void> }>,
): void => {
  let finished = false
  const finish = (end: ProcessEnd): void => {
    if (finished) return
    finished = true
    void done(end)
  }
  child.on('error', (error) => {
    if (child.pid === undefined) finish({ code: null, signal: null, startError: error })
  })
  child.on('close', (code, signal) => finish({ code, signal, startError: null }))
  // a grandchild may hold the pipes open after the guest itself has died
  child.on('exit', (code, signal) => {
    died()
    kill()
    setTimeout(() => finish({ code, signal, startError: null }), PIPE_GRACE_MS).unref()
  })
}

type Opened = Readonly<{ child: Child; command: GuestCommand }>

/** Starts the process, and closes what was opened for it if that fails. */
const openGuest = (folder: string, commandFor: CommandFor): Opened => {
  let command: GuestCommand | undefined
  try {
    command = commandFor(folder)
    return { child: spawnGuest(folder, command), command }
  } catch (error) {
    command?.egress?.close()
    command?.group?.remove()
    void removeGuestFolder(folder)
    throw error
  }
}

/**
 * Starts a guest and sends it its frame word. Returns at once, while the process still starts.
 * @throws {Error} the host is out of file descriptors or of room for temporary files
 */
export const startGuest = (commandFor: CommandFor): GuestProcess => {
  const word = randomBytes(16).toString('base64url')
  const folder = makeGuestFolder()
  const { child, command } = openGuest(folder, commandFor)
  const {
    egress = null,
    egressPath = null,
    group,
    isHidden = false,
    isApart = isHidden,
    loopback = [],
    shared = null,
  } = command
  const runtimePid = createRuntimePid(child.pid ?? null, isHidden ? CONFINE_GENERATIONS : 0)
  const ended = Promise.withResolvers<ExitReport>()
  let listener: GuestListener | null = null
  let living = child.pid !== undefined
  let report: ExitReport | null = null

  const kill = (): void => killTree(child, isHidden)

  onEnd(child, {
    kill,
    died: () => {
      living = false
      output.ignoreHolds()
    },
    done: async (end) => {
      // what it wrote before its end counts, such as a result
      await output.drained()
      const exit = {
        ...end,
        outputTail: output.tail(),
        isOutOfMemory: group?.hasEndedForMemory() ?? false,
      }
      report = exit
      egress?.close()
      group?.remove()
      output.ready.resolve()
      listener?.onEnd(exit)
      void removeGuestFolder(folder).then(() => ended.resolve(exit))
    },
  })
  const output = readOutput(child, { word, kill, listener: () => listener })
  const host = isApart ? null : process.pid
  child.stdin.write(helloLine({ word, host, egress: egressPath, loopback, shared }))

  // a guest gets no work before its confinement is complete, so that the end of its input can still end it
  let early: (string | Uint8Array)[] | null = isApart ? [] : null
  const release = async (): Promise<void> => {
    await output.ready.promise
    if (isHidden && child.pid !== undefined) await untilDiesWithParent(child.pid)
    for (const line of early ?? []) child.stdin.write(line)
    early = null
  }
  if (early !== null) void release()

  return {
    pid: child.pid ?? null,
    isHidden,
    disk: isHidden ? hiddenDisk(runtimePid) : folderDisk(folder, runtimePid),
    sockets: isHidden ? createSocketMemory(runtimePid) : NO_SOCKETS,
    egress,
    runtimePid,
    ready: output.ready.promise,
    ended: ended.promise,
    alive: () => living,
    listen: (next) => {
      listener = next
      if (report !== null) next?.onEnd(report)
    },
    setFrameLimit: output.setFrameLimit,
    send: (line) => {
      if (!living) return
      if (early === null) child.stdin.write(line)
      else early.push(line)
    },
    deliver: (line) =>
      new Promise((resolve) => {
        if (!living) resolve()
        else child.stdin.write(line, () => resolve())
      }),
    hold: output.hold,
    kill: () => {
      living = false
      kill()
      // the pipe is still read, because an unread pipe does not end
      output.discard()
    },
  }
}
