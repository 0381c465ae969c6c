import { chineseNumber } from './numbers.ts';

/** The pattern of measure words, before which two is 两. What follows some of them tells that they are none. */
export const MEASURES = [
  '个|位|名|只|条|张|本|把|件|块|辆|架|台|部|座|栋|间|家|头|匹|群|双|对(?![\\d一二三四五六七八九])|套|组|种|类|次|回|遍|趟|场|天|年|周|小时|分钟|秒钟|秒|岁|元|块钱|美元|欧元|英镑|日元|倍|层|碗|杯|瓶|份|封|页|篇|首|句|节|门|项|棵|朵|颗|根|支|枝|片|滴|步|米|公里|千米|厘米|毫米|公斤|千克|克|斤|吨|升|毫升|里|尺|寸|亩|万|亿|千|百|人|口|户|国|边',
  '[大小茶汤]?勺|[茶汤]匙|盒|袋|包(?![括含装围])|罐|盘(?![点活])|碟|箱|桶|串(?!联)|捆(?!绑)|束(?!缚)|粒(?!子)|枚|丸|款(?![式项待])|笔(?![记者试])|批(?![准发评])|轮(?![流胎船])|局(?![限部面势长])|圈(?!子)|票(?![据价房])|球(?![员队迷场])',
  '餐(?![厅饮馆具])|顿(?!时)|晚(?![上间点会期年])|夜(?![间晚里])|成(?![为都立功员本人年绩果长就])|档(?![案次])|行(?![动为业政人程车驶])|段(?![落位])|题(?![目材为])|帧(?!率)|册(?!子)|番(?![茄号])|胜(?=\\d|[一二三四五六七八九])|厅(?=\\d?卫|[一二三四五]卫|$|[，。、,.])|室(?=[\\d一二三四五]厅)|英尺|英寸|英里|加仑|盎司',
  '周年|个月|学期|星期|代|股|队|届',
  '点钟|刻钟|点(?:(?=\\d{1,2}分|[零一二三四五六七八九十]{1,3}分|\\d\\d(?!\\d)|一刻)|(?![\\d零一二三四五六七八九]))|分(?!之)',
].join('|');
const measure = new RegExp(`^(?:${MEASURES})(?!级)`);

/**
 * A number before a measure word: 2 is 两.
 * @param following the text after it
 */
export function chineseCounted(digits: string, following: string): string {
  const number = chineseNumber(digits);
  const two = number === '二' && measure.test(following) ? '两' : number;
  return two.replace(/^二(?=[千万亿])/, '两').replace(/(?<=[万亿]零?)二(?=千)/g, '两');
}
