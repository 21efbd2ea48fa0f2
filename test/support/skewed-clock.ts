/** The environment of a process whose clock is wrong (Debian's libfaketime); its steady clock stays right. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'

const FAKETIME = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** Clocks can be turned here. */
export const canSkewClocks = FAKETIME !== undefined

/** @param seconds ahead, or behind when negative; empty where clocks cannot be turned */
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
  /** From now on the process's clock is so many seconds ahead of this machine's, or behind when negative. */
  turn: (seconds: number) => void
}>

/**
 * The clock of a process that a test sets while it runs.
 * @param path of a file of the test's own
 */
export const turnableClock = (path: string): TurnableClock => {
  const turn = (seconds: number): void => {
    // moved into place: the process may read at any time
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
