import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Document parser', ko: '문서 파서' },
  about: {
    en: 'Extracts fields from a property registry certificate (PDF). The file is not stored.',
    ko: '등기사항증명서 PDF에서 필드를 추출합니다. 파일은 저장하지 않습니다.',
  },
  key: { en: 'API key', ko: 'API 키' },
  keyHint: {
    en: 'The parser accepts only API keys. The key stays in this page’s memory until you reload.',
    ko: '파서는 API 키로만 호출할 수 있습니다. 키는 이 페이지의 메모리에만 있으며 새로 고침하면 사라집니다.',
  },
  makeKey: { en: 'Create an API key', ko: 'API 키 만들기' },
  askKey: {
    en: 'A workspace admin can create one.',
    ko: '워크스페이스 관리자가 만들 수 있습니다.',
  },
  file: { en: 'Certificate (PDF)', ko: '등기사항증명서 (PDF)' },
  choose: { en: 'Choose a PDF', ko: 'PDF 선택' },
  drop: { en: 'or drop it here', ko: '또는 여기에 끌어다 놓기' },
  another: { en: 'Another file', ko: '다른 파일' },
  price: {
    en: 'Each certificate read is charged to the workspace. Refused files are free.',
    ko: '읽은 증명서에만 과금되며, 거부된 요청은 무료입니다.',
  },
  costs: {
    en: (won: string, balance: string) => `Costs ₩${won}. The balance is ₩${balance}.`,
    ko: (won: string, balance: string) => `1건에 ₩${won}이며 현재 잔액은 ₩${balance}입니다.`,
  },
  free: {
    en: 'Billing is off on this instance. Nothing is charged.',
    ko: '이 인스턴스는 과금을 사용하지 않습니다.',
  },
  needKey: { en: 'Enter an API key first.', ko: 'API 키를 먼저 입력하세요.' },
  notPdf: { en: 'This is not a PDF.', ko: 'PDF 파일이 아닙니다.' },
  tooLarge: { en: 'The file is larger than 50 MB.', ko: '파일이 50 MB보다 큽니다.' },
  refused: { en: 'Could not read the certificate', ko: '증명서를 읽지 못했습니다' },
  command: { en: 'The same call with curl:', ko: 'curl로 호출:' },
  // result
  page: {
    en: (n: number, of: number) => `Page ${n} of ${of}`,
    ko: (n: number, of: number) => `${of}쪽 중 ${n}쪽`,
  },
  previous: { en: 'Previous page', ko: '이전 쪽' },
  next: { en: 'Next page', ko: '다음 쪽' },
  picture: { en: 'The page with the recognized fields', ko: '원본 쪽과 인식한 영역' },
  unread: {
    en: (text: string) => `Not read: ${text}`,
    ko: (text: string) => `읽지 못한 글자: ${text}`,
  },
  blank: {
    en: 'This page cannot be displayed. The boxes show where entries are.',
    ko: '이 쪽은 화면에 그릴 수 없습니다. 상자는 항목의 위치입니다.',
  },
  noPicture: {
    en: 'The browser cannot display a picture on this page (CCITT fax, JBIG2 or JPEG 2000). The parser reads these formats.',
    ko: '이 쪽에는 브라우저가 표시할 수 없는 형식(CCITT 팩스, JBIG2, JPEG 2000)의 이미지가 있습니다. 파서는 이런 이미지도 읽습니다.',
  },
  fields: { en: 'Fields', ko: '필드' },
  diagnostics: { en: 'Diagnostics', ko: '진단' },
  confidence: { en: 'Confidence', ko: '신뢰도' },
  level: {
    en: (level: string) => ({ 높음: 'high', 보통: 'fair', 낮음: 'low' })[level] ?? level,
    ko: (level: string) => level,
  },
  overview: { en: 'Certificate', ko: '증명서' },
  titleSection: { en: 'Title', ko: '표제부' },
  sectionA: { en: 'Section A: ownership', ko: '갑구 (소유권)' },
  sectionB: { en: 'Section B: other rights', ko: '을구 (소유권 이외의 권리)' },
  tradeLists: { en: 'Trade lists', ko: '매매목록' },
  summary: { en: 'Summary', ko: '주요 등기사항 요약' },
  none: { en: 'No entries.', ko: '항목이 없습니다.' },
  cancelled: { en: 'cancelled', ko: '말소' },
  struck: { en: 'struck through', ko: '지면상 말소' },
  show: { en: 'Show on the page', ko: '원본에서 보기' },
  uniqueNumber: { en: 'Unique number', ko: '고유번호' },
  address: { en: 'Address', ko: '소재지' },
  kindOf: {
    en: (kind: string) =>
      ({ land: 'land', building: 'building', aggregate_building: 'aggregate building' })[kind] ??
      kind,
    ko: (kind: string) =>
      ({ land: '토지', building: '건물', aggregate_building: '집합건물' })[kind] ?? kind,
  },
  viewed: { en: 'Viewed', ko: '열람일시' },
  issued: { en: 'Issued', ko: '발행일' },
  pages: { en: 'Pages', ko: '쪽수' },
  errors: { en: 'Errors', ko: '오류' },
  noFindings: { en: 'Nothing to report.', ko: '특이 사항이 없습니다.' },
  metrics: { en: 'Figures', ko: '측정값' },
})
