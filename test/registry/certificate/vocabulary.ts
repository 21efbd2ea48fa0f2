/** Every name is invented, and every registration number is masked or cannot exist (month 99, court 99). */
const FAMILY_NAMES = '한 서 문 김 강 윤 채 정 고 노 민 배 송 신 안 오 유 임 차 남'.split(' ')
const GIVEN_NAMES =
  '누리 다솜 라온 새벽 다온 하늘 바다 가람 가온 나래 마루 보람 슬기 아라 이슬 초롱 한결 해솔 여울 미르'.split(
    ' ',
  )
export const PERSON_NAMES = FAMILY_NAMES.flatMap((family) =>
  GIVEN_NAMES.map((given) => `${family}${given}`),
)
export const FOREIGN_NAMES = ['GARAM MARU', 'NURI HANA LEE', '마루가람나래']

export const COMPANY_NAMES = [
  '주식회사누리',
  '주식회사가온건설',
  '마루종합개발주식회사',
  '라온산업 주식회사',
  '유한회사다솜',
  '나래물산주식회사',
  '주식회사솔빛하우징',
  '초롱디앤씨 주식회사',
]
export const BANK_NAMES = [
  '주식회사누리은행',
  '구름농업협동조합',
  '하늘새마을금고',
  '가람저축은행주식회사',
  '주식회사마루은행',
  '나래신용협동조합',
  '라온보험주식회사',
  '이슬중앙새마을금고',
]
export const LENDER_NAMES = [
  '주식회사누리캐피탈',
  '누리카드 주식회사',
  '누리보증보험주식회사',
  '나래대부 주식회사',
  '새벽신용정보주식회사',
]
export const TRUST_NAMES = [
  '가온신탁주식회사',
  '누리자산신탁주식회사',
  '마루부동산신탁주식회사',
  '나래토지신탁 주식회사',
]
export const BRANCHES = ['구름중앙지점', '하늘지점', '바람동지점', '여신관리부', '특수채권팀']

export const PROVINCES = ['가람북도', '가람남도', '다라도', '나래북도']
export const METROPOLES = ['가람특별시', '나래광역시', '새벽광역시']
export const CITIES = ['하늘시', '마바시', '이슬시', '여울시']
export const DISTRICTS = ['구름구', '나래구', '새벽구', '노을구', '퍼허구']
export const QUARTERS = ['바람동', '라온동', '가나동', '누리동', '솔빛동', '다솜동']
export const TOWNSHIPS = ['구름면', '이슬면', '마바읍', '초롱면']
export const VILLAGES = ['바람리', '솔빛리', '여울리', '가온리']
export const ROADS = ['가온로', '다솜로', '아침로', '구름로', '누리로', '솔빛로12번길', '다라로']
export const HOUSE_NAMES = ['마루아파트', '바람마을', '라온빌', '가온타워', '솔빛마을', '누리빌딩']
export const COURTS = ['하늘지방법원', '가람중앙지방법원', '퍼허지방법원 사아지원', '나래지방법원']
export const OFFICES = ['구름등기소', '등기과', '마바등기소', '등기국']

export const LAND_CATEGORIES = [
  '전',
  '답',
  '과수원',
  '목장용지',
  '임야',
  '대',
  '공장용지',
  '잡종지',
  '도로',
  '창고용지',
  '주차장',
  '구거',
  '종교용지',
]
export const STRUCTURES = [
  '철근콘크리트구조',
  '철근콘크리트조',
  '철골철근콘크리트구조',
  '벽돌조',
  '연와조',
  '시멘트블럭조',
  '경량철골구조',
  '일반목구조',
]
export const ROOFS = [
  '평슬라브지붕',
  '평슬래브지붕',
  '(철근)콘크리트지붕',
  '경사슬래브지붕',
  '기와지붕',
  '아스팔트싱글지붕',
  '샌드위치판넬지붕',
  '스라브지붕',
]
export const HOUSE_USES = [
  '단독주택(다중주택)',
  '근린생활시설',
  '제2종근린생활시설(사무소)',
  '주택',
]
export const FLOOR_USES = [
  '단독주택',
  '소매점',
  '사무소',
  '주택',
  '일반음식점',
  '주차장',
  '다중주택',
]
export const ESTATE_NAMES = ['바람지구가온아파트', '마루타워', '라온빌', '솔빛마을아파트']
export const ESTATE_NAMES_WITH_DIGITS = ['가온2차아파트', '누리7단지아파트', '마루1004타워']
