/** A QR code, drawn as one path. It is dark on light in every theme, because cameras expect that. */
import { encode } from 'uqr'
import styles from './qr-code.module.css'

export type QrCodeProps = Readonly<{ label: string; text: string }>

export const QrCode = ({ label, text }: QrCodeProps) => {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  )
}
