/** `svc __self-test`: what the build starts, to prove that the parts of the binary are whole. */
import { testParts } from '#node/doctor/self-test.ts'
import type { Command } from '../command.ts'
import { printJson } from '../print.ts'

export const command: Command = {
  handler: async () => printJson(await testParts()),
}
