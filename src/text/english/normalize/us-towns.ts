import { wordSet } from '../../patterns.ts';

/**
 * Codes that stand for a state after any name and a comma. The others are also words, degrees and titles (`Smith, MD`,
 * `Sure, OK`), countries (`Berlin, DE`) or other abbreviations.
 */
const plainCodes = wordSet('AK AZ FL IA IL KS KY MN NC NH NJ NM NV NY TN TX WI WV WY');

/** Towns of the other states, by population: the largest ones, and capitals. */
const towns: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `AL Birmingham|Huntsville|Mobile|Montgomery|Tuscaloosa|Auburn;
  AR Little Rock|Fayetteville|Fort Smith|Bentonville;
  CA Los Angeles|San Diego|San Jose|San Francisco|Fresno|Sacramento|Long Beach|Oakland|Bakersfield|Anaheim|Irvine|Riverside|
    Santa Ana|Stockton|Santa Clara|Santa Monica|Santa Barbara|Santa Cruz|Santa Rosa|Berkeley|Palo Alto|Mountain View|Cupertino|
    Sunnyvale|Menlo Park|Pasadena|Glendale|Burbank|Redwood City|San Mateo|Fremont|Hayward|Beverly Hills|Hollywood|Malibu|
    Palm Springs|Ontario|Modesto|Oceanside|Carlsbad|Napa|Oxnard;
  CO Denver|Colorado Springs|Aurora|Fort Collins|Boulder|Lakewood|Pueblo|Golden|Aspen|Vail|Durango|Grand Junction|Greeley;
  CT Bridgeport|New Haven|Stamford|Hartford|Waterbury|Norwalk|Danbury|Greenwich|New London;
  DC Washington;
  DE Wilmington|Dover|Newark|Rehoboth Beach|Lewes;
  GA Atlanta|Augusta|Columbus|Macon|Savannah|Athens|Marietta|Roswell|Alpharetta|Decatur;
  HI Honolulu|Hilo|Kailua|Kahului|Lahaina|Kapolei;
  ID Boise|Meridian|Nampa|Idaho Falls|Pocatello|Coeur d'Alene|Moscow;
  IN Indianapolis|Fort Wayne|Evansville|South Bend|Carmel|Bloomington|Gary|Lafayette|West Lafayette|Muncie|Terre Haute;
  LA New Orleans|Baton Rouge|Shreveport|Lafayette|Lake Charles|Monroe|Metairie;
  MA Boston|Worcester|Springfield|Cambridge|Lowell|Brockton|Quincy|Lynn|Newton|Somerville|Salem|Waltham|Plymouth|Amherst|
    Framingham|Medford|Brookline|Concord|Lexington|Burlington;
  MD Baltimore|Annapolis|Frederick|Rockville|Gaithersburg|Bethesda|Silver Spring|College Park|Columbia|Salisbury|Towson;
  ME Portland|Bangor|Augusta|Lewiston|Bar Harbor|Kennebunkport|Freeport;
  MI Detroit|Grand Rapids|Warren|Ann Arbor|Lansing|Flint|Dearborn|Kalamazoo|Troy|Traverse City|Marquette;
  MO Kansas City|St. Louis|Saint Louis|Springfield|Columbia|Independence|Jefferson City|Branson|St. Joseph;
  MS Jackson|Gulfport|Biloxi|Hattiesburg|Oxford|Tupelo|Vicksburg|Natchez;
  MT Billings|Missoula|Great Falls|Bozeman|Butte|Helena|Kalispell|Whitefish;
  ND Fargo|Bismarck|Grand Forks|Minot;
  NE Omaha|Lincoln|Bellevue|Grand Island|Kearney;
  OH Columbus|Cleveland|Cincinnati|Toledo|Akron|Dayton|Canton|Youngstown|Athens|Oxford;
  OK Oklahoma City|Tulsa|Norman|Broken Arrow|Stillwater|Edmond|Lawton|Enid;
  OR Portland|Eugene|Salem|Bend|Gresham|Hillsboro|Beaverton|Corvallis|Medford|Ashland|Astoria;
  PA Philadelphia|Pittsburgh|Allentown|Erie|Reading|Scranton|Bethlehem|Lancaster|Harrisburg|York|Hershey|Gettysburg|State College;
  RI Providence|Newport|Warwick|Cranston|Pawtucket;
  SC Charleston|Columbia|Greenville|Myrtle Beach|Spartanburg|Rock Hill|Hilton Head|Clemson;
  SD Sioux Falls|Rapid City|Pierre|Deadwood|Sturgis;
  UT Salt Lake City|Provo|Ogden|St. George|Park City|Moab|Orem|Sandy|Lehi;
  VA Richmond|Virginia Beach|Norfolk|Chesapeake|Arlington|Alexandria|Roanoke|Newport News|Hampton|Charlottesville|Fairfax|
    Reston|McLean|Herndon|Ashburn|Williamsburg|Blacksburg|Lynchburg;
  VT Burlington|Montpelier|Rutland|Stowe|Brattleboro|Middlebury;
  WA Seattle|Spokane|Tacoma|Vancouver|Bellevue|Kent|Everett|Olympia|Redmond|Renton|Kirkland|Yakima|Bellingham|Walla Walla`
    .split(/;\s*/)
    .map((line) => [line.slice(0, 2), line.slice(3).split(/\|\s*/)]),
);

/** A name and a comma, before the letters of a state */
const nameBefore = /\p{Lu}\p{Ll}[\p{L}'’]*,\s$/u;

/**
 * Tells whether two letters after a town are its state: `Austin, TX`, `Portland, OR`.
 * @param before the text before `code`, at least its last 24 characters
 */
export function isStateOfTown(before: string, code: string): boolean {
  if (!nameBefore.test(before)) return false;
  const place = before.replace(/,\s$/, '').replaceAll('’', "'");
  const isTown = (town: string) => place.endsWith(town) && !/\p{L}/u.test(place.at(-1 - town.length) ?? '');
  return plainCodes.has(code) || (towns[code]?.some(isTown) ?? false);
}
