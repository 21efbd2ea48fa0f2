/** The refusal of a bearer text [access 2.2]. */
import { AppError } from '#core/error.ts'

/** @param message what the holder of a real credential has to do */
export const invalidToken = (message: string): AppError =>
  new AppError('unauthenticated', message, { code: 'invalid_token' })
