/** The environment of a process whose clock is wrong (Debian's libfaketime); its steady clock stays right. */
import { existsSync } from 'node:fs'

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
