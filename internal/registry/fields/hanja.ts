/** Reads the words of a register that are printed in Hanja, as old entries are. */

/** Each word and its reading, syllable by syllable. */
const WORDS = `
所有權 소유권, 保存 보존, 移轉 이전, 設定 설정, 登記 등기, 抹消 말소, 變更 변경, 更正 경정, 回復 회복, 請求權 청구권,
根抵當權 근저당권, 抵當權 저당권, 傳貰權 전세권, 轉傳貰 전전세, 賃借權 임차권, 地上權 지상권, 地役權 지역권, 根質權 근질권,
質權 질권, 債權 채권, 權利者 권리자, 信託 신탁, 還買權 환매권, 還買 환매, 特約 특약, 假登記 가등기, 假押留 가압류,
押留 압류, 假處分 가처분, 處分 처분, 競賣 경매, 任意 임의, 强制 강제, 強制 강제, 開始決定 개시결정, 申請 신청, 豫告 예고,
附記 부기, 禁止事項 금지사항, 名義人 명의인, 表示 표시, 持分 지분, 全員 전원, 全部 전부, 一部 일부, 追加 추가, 住宅 주택,
所有者 소유자, 共有者 공유자, 合有者 합유자, 共有 공유, 合有 합유, 受託者 수탁자, 委託者 위탁자, 受益者 수익자,
連帶債務者 연대채무자, 債務者 채무자, 債權者 채권자, 根抵當權者 근저당권자, 抵當權者 저당권자, 傳貰權者 전세권자,
賃借權者 임차권자, 賃借人 임차인, 地上權者 지상권자, 地役權者 지역권자, 假登記權者 가등기권자, 還買權者 환매권자,
質權者 질권자, 代位者 대위자, 代位原因 대위원인, 管理廳 관리청, 處分廳 처분청, 代表者 대표자, 代表理事 대표이사,
法定代理人 법정대리인, 親權者 친권자, 後見人 후견인, 債權最高額 채권최고액, 債權額 채권액, 傳貰金 전세금,
賃借保證金 임차보증금, 保證金 보증금, 借賃 차임, 請求金額 청구금액, 去來價額 거래가액, 目的 목적, 範圍 범위,
存續期間 존속기간, 地料 지료, 辨濟期 변제기, 利子 이자, 要役地 요역지, 承役地 승역지, 被保全權利 피보전권리,
信託原簿 신탁원부, 賣買目錄 매매목록, 共同擔保目錄 공동담보목록, 共同擔保 공동담보, 擔保 담보, 甲區 갑구, 乙區 을구,
住所 주소, 轉居 전거, 姓名 성명, 名稱 명칭, 商號 상호, 順位 순위, 乃至 내지, 分之 분지, 分의 분의
`
const PAIRS = WORDS.split(',').map((pair) => pair.trim().split(' ') as [string, string])
/** Signs that are words only behind others: `1番 及 2番`, `登記中`. */
const SIGNS = [
  ['番', '번', '(?<=\\d)'],
  ['及', '및', '(?<=(?:\\d番?|[轉存定記])\\s?)'],
  ['中', '중', '(?<=[權記分])'],
] as const
const READINGS = new Map([...PAIRS, ...SIGNS.map(([hanja, hangul]) => [hanja, hangul] as const)])
/** A longer word comes before a shorter one that it begins with. */
const ANY = new RegExp(
  [
    ...PAIRS.map(([hanja]) => hanja).sort((a, b) => b.length - a.length),
    ...SIGNS.map(([hanja, , behind]) => `${behind}${hanja}`),
  ].join('|'),
  'g',
)
const SYLLABLES = new Map(
  PAIRS.flatMap(([hanja, hangul]) =>
    [...hanja].map((sign, at): [string, string] => [sign, hangul[at] ?? '']),
  ),
)

const HAN = /\p{Script=Han}/u

/** Returns the text with the words of a register in Hangul. It has the same length. Names in Hanja stay. */
export const inHangul = (text: string): string =>
  HAN.test(text) ? text.replace(ANY, (word) => READINGS.get(word) ?? word) : text

/** Returns a label, or the beginning of one, in Hangul. */
export const labelInHangul = (text: string): string =>
  HAN.test(text) ? [...text].map((sign) => SYLLABLES.get(sign) ?? sign).join('') : text
