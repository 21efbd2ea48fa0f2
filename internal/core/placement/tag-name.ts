/** The form of a worker tag, wherever a job may get one: of its action, of its caller, of an override or of the workspace. */
import * as z from 'zod'

export const tagName = z
  .string('must be a string')
  .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, . - or _')
