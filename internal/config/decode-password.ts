/** Decodes the password of a URL. Returns it as written if it is not valid percent-encoding, such as `a%zz`. */
export const decodePassword = (password: string): string => {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
