/** The environment of a process with a wrong clock (Debian's libfaketime); its monotonic clock stays right. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'

const FAKETIME = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** Whether this machine can change the clock of a process. */
export const canSkewClocks = FAKETIME !== undefined

/** @param seconds ahead; negative for behind. Returns an empty environment if clocks cannot be changed. */
export const skewedClock = (seconds: number): Readonly<Record<string, string>> =>
  FAKETIME === undefined || seconds === 0
    ? {}
    : {
        LD_PRELOAD: FAKETIME,
        FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        DONT_FAKE_MONOTONIC: '1',
      }

export type TurnableClock = Readonly<{
  env: Readonly<Record<string, string>>
  /** Sets how many seconds the process's clock is ahead of this machine's; negative for behind. */
  turn: (seconds: number) => void
}>

/**
 * A clock of a process that a test can change while the process runs.
 * @param path of a file that only this test uses
 */
export const turnableClock = (path: string): TurnableClock => {
  const turn = (seconds: number): void => {
    // renamed into place, because the process may read it at any time
    writeFileSync(`${path}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`)
    renameSync(`${path}.new`, path)
  }
  if (FAKETIME === undefined) {
    throw new Error(
      'This test turns clocks: run `make test-tools`, or apt-get install libfaketime.',
    )
  }
  turn(0)
  return {
    env: {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    turn,
  }
}
