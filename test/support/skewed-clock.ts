/** The environment of a process whose clock is wrong (Debian's libfaketime). Its monotonic clock stays right. */
import { existsSync, renameSync, writeFileSync } from 'node:fs'

const FAKETIME = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** Whether this machine can skew clocks. */
export const canSkewClocks = FAKETIME !== undefined

/** @param seconds ahead, or behind if negative @returns an empty object if this machine cannot skew clocks */
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
  /** Sets the process's clock ahead of this machine's by seconds, or behind if negative. */
  turn: (seconds: number) => void
}>

/**
 * The clock of a process, which a test can set while the process runs.
 * @param path of a file that only this test uses
 */
export const turnableClock = (path: string): TurnableClock => {
  const turn = (seconds: number): void => {
    // replace the file by a rename, because the process may read it at any time
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
