/** Writes the public key into README.md. */

const PLACE = /<!-- release key -->[\s\S]*?<!-- end -->/

/** @throws {Error} the README has no markers for the key */
export const writeKeyToReadme = (readme: string, key: string): string => {
  if (!PLACE.test(readme)) {
    throw new Error('README.md has no place for the key: <!-- release key --> … <!-- end -->')
  }
  return readme.replace(PLACE, () => `<!-- release key -->\`${key}\`<!-- end -->`)
}
