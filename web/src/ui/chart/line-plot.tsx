/** The canvas of a line chart. Import line-chart.tsx instead, which loads this on demand. */
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Language, useLanguage } from '../../language/language.ts'
import { SECOND_MS } from '../../language/units.ts'
import { words } from '../../language/words.ts'
import { useTheme } from '../../theme/theme.ts'
import styles from './line-chart.module.css'
import type { LineChartProps, Tone } from './line-chart-props.ts'

const HEIGHT_PX = 150
const AXIS_PX = 80
/** Keeps the highest value off the edge. */
const HEADROOM = 1.1
const DAY_S = 86_400
/** Steps of the scale. All values are whole numbers, so fractions would make no sense. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat()
const BARS = uPlot.paths.bars?.({ size: [0.8, 40] })

/** Resolves a custom property to a colour, by an element, because a canvas does not accept custom properties. */
const colorOf = (place: HTMLElement, name: string): string => {
  place.style.color = `var(--${name})`
  const { color } = getComputedStyle(place)
  place.style.color = ''
  return color
}

const timeFormat = (language: Language, spanS: number): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(
    language,
    spanS > 2 * DAY_S
      ? { month: 'numeric', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  )

type PlotOptions = Pick<LineChartProps, 'lines' | 'format' | 'isBars'> &
  Readonly<{ place: HTMLElement; language: Language; spanS: number; stepS: number }>

/** The front line whose bar contains the point, or null if there is none. The legend may hide a line. */
const barAt = (made: uPlot, index: number): number | null => {
  const value = made.posToVal(made.cursor.top ?? 0, 'y')
  const hit = made.data.findLastIndex(
    (values, row) => row > 0 && made.series[row]?.show !== false && (values[index] ?? 0) >= value,
  )
  return hit < 1 ? null : hit - 1
}

/** Called at each drawing, because the canvas outlives the values that it was created with. */
const hasGap = ({ data }: uPlot, row: number): boolean => Array.from(data[row] ?? []).includes(null)

const optionsOf = ({
  place,
  language,
  spanS,
  stepS,
  lines,
  format,
  isBars = false,
}: PlotOptions): uPlot.Options => {
  const grid = { stroke: colorOf(place, 'line'), width: 1 }
  const axis = { stroke: colorOf(place, 'muted'), grid, ticks: grid, font: '12px sans-serif' }
  const time = timeFormat(language, spanS)
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })
  const color = (tone: Tone): string => colorOf(place, tone)
  return {
    width: Math.max(1, place.clientWidth),
    height: HEIGHT_PX,
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      // makes room for the whole first and last bar
      ...(isBars ? { x: { range: (_, from, to) => [from - stepS / 2, to + stepS / 2] } } : {}),
      y: { range: (_, __, most) => [0, Math.max(1, most * HEADROOM)] },
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map((at) => time.format(at * SECOND_MS)) },
      { ...axis, size: AXIS_PX, incrs: WHOLE_STEPS, values: (_, splits) => splits.map(format) },
    ],
    series: [
      {
        label: words.when[language],
        value: (_, at) => (at === null ? '' : exact.format(at * SECOND_MS)),
      },
      ...lines.map(({ name, tone }) => ({
        label: name,
        stroke: color(tone),
        ...(isBars && BARS !== undefined
          ? { width: 0, fill: color(tone), paths: BARS, points: { show: false } }
          : // a single value between two gaps is drawn as a point
            { width: 1.5, points: { show: hasGap, size: 6 } }),
        value: (_: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  }
}

const isDark = matchMedia('(prefers-color-scheme: dark)')
const watchDark = (listener: () => void): (() => void) => {
  isDark.addEventListener('change', listener)
  return () => isDark.removeEventListener('change', listener)
}

const dataOf = ({ times, lines }: LineChartProps): uPlot.AlignedData => [
  times.map((at) => at / SECOND_MS),
  ...lines.map(({ values }) => [...values]),
]

export const LinePlot = (props: LineChartProps) => {
  const { title, summary, times, lines, format, isBars = false, onPick } = props
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const language = useLanguage()
  const theme = useTheme()
  const dark = useSyncExternalStore(watchDark, () => isDark.matches)
  const spanS = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / SECOND_MS
  const names = lines.map(({ name }) => name).join()
  const draw = useEffectEvent((place: HTMLElement) => {
    const stepS = spanS / Math.max(1, times.length - 1)
    const options = optionsOf({ place, language, spanS, stepS, lines, format, isBars })
    return new uPlot(options, dataOf(props), place)
  })
  const pick = useEffectEvent((made: uPlot) => {
    const { idx } = made.cursor
    if (typeof idx === 'number') onPick?.(idx, isBars ? barAt(made, idx) : null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas keeps the colours and words it was created with
  useEffect(() => {
    const place = box.current
    if (place === null) return
    const made = draw(place)
    plot.current = made
    made.over.addEventListener('click', () => pick(made))
    const watch = new ResizeObserver(() =>
      made.setSize({ width: Math.max(1, place.clientWidth), height: HEIGHT_PX }),
    )
    watch.observe(place)
    return () => {
      watch.disconnect()
      plot.current = null
      made.destroy()
    }
  }, [theme, dark, language, names, spanS])
  useEffect(() => plot.current?.setData(dataOf(props)))
  return (
    <div
      className={styles.plot}
      data-pick={onPick === undefined ? undefined : ''}
      role="img"
      aria-label={`${title}. ${summary}`}
    >
      <div ref={box} aria-hidden="true" />
    </div>
  )
}
