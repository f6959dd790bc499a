// The days before the shop opens: goods, rules, and the first customers.

const RATES = { standard: 19000, reduced: 7000 };

const regions = {
  DE: { isInclusive: true, rates: RATES, rounding: 'line', shipping: 'standard' },
  AT: { isInclusive: true, rates: { standard: 20000, reduced: 10000 }, rounding: 'order',
    shipping: 'proportional' },
  CH: { isInclusive: true, rates: {}, rounding: 'line', shipping: 'none' },
  'US-NY': { isInclusive: false, rates: { standard: 8875 }, rounding: 'order', shipping: 'none' },
};

const methods = [
  { id: 'parcel', title: 'Parcel', zones: {
    home: { days: 2, freeFrom: 15000,
      steps: [{ upTo: 2000, price: 490 }, { upTo: 30000, price: 890 }] },
    near: { days: 4, freeFrom: null,
      steps: [{ upTo: 5000, price: 1290 }, { upTo: 30000, price: 1990 }] },
    far: { days: 8, freeFrom: null, steps: [{ upTo: 30000, price: 3990 }] },
  } },
  { id: 'express', title: 'Express', zones: {
    home: { days: 1, freeFrom: null, steps: [{ upTo: 30000, price: 1490 }] },
  } },
];

const goods = [
  { title: 'Trail shoe', brand: 'Norvik', category: 'Shoes', price: 12990, cost: 6100, weight: 840,
    options: { size: ['40', '41', '42', '43'] }, tags: ['running'],
    text: 'A light shoe for paths and rocks.' },
  { title: 'Mountain boot', brand: 'Norvik', category: 'Shoes', price: 24990, cost: 12800,
    weight: 1900, options: { size: ['41', '42', '43'] }, tags: ['winter'], text: 'For the snow.' },
  { title: 'Merino socks', brand: 'Alma', category: 'Clothes', price: 1990, cost: 700, weight: 80,
    options: { size: ['M', 'L'], color: ['grey', 'red'] }, tags: ['wool'], text: 'Warm and dry.' },
  { title: 'Rain jacket', brand: 'Alma', category: 'Clothes', price: 17990, cost: 8300, weight: 420,
    options: { size: ['S', 'M', 'L'] }, tags: ['rain'], text: 'Two layers, taped seams.' },
  { title: 'Headlamp', brand: 'Lux', category: 'Gear', price: 3490, cost: 1500, weight: 90,
    tags: ['night'], text: 'Bright for eight hours.' },
  { title: 'Climbing harness', brand: 'Rocca', category: 'Climbing', price: 6490, cost: 2900,
    weight: 410, options: { size: ['S', 'M'] }, tags: ['rock'], text: 'With four loops.' },
  { title: 'Carabiner', brand: 'Rocca', category: 'Climbing', price: 1190, cost: 450, weight: 70,
    tags: ['rock'], text: 'It locks by itself.' },
  { title: 'Anniversary knife', brand: 'Rocca', category: 'Gear', price: 8990, cost: 3600,
    weight: 120, limit: 2, tags: ['gift'], text: 'Only some hundred were made.' },
  { title: 'Poster map', brand: 'Kartaz', category: 'Books', price: 2490, cost: 600, weight: 300,
    limit: 3, taxClass: 'reduced', tags: ['gift'], text: 'All huts of the Alps.' },
  { title: 'Trail guide', brand: 'Kartaz', category: 'Books', price: 1890, cost: 700, weight: 350,
    taxClass: 'reduced', tags: ['paths'], text: 'Forty walks with maps.' },
  { title: 'Gas cartridge', brand: 'Lux', category: 'Gear', price: 690, cost: 260, weight: 380,
    tags: ['cooking'], text: 'For small stoves.' },
];

const people = [
  ['Ada Brandt', 'DE', '10115', 'Berlin'], ['Ben Okafor', 'DE', '80331', 'Munich'],
  ['Cleo Marti', 'CH', '8001', 'Basel'], ['Dario Huber', 'AT', '6020', 'Innsbruck'],
  ['Eva Lind', 'DE', '50667', 'Cologne'], ['Finn Aalto', 'DE', '20095', 'Hamburg'],
  ['Grace Hill', 'US', '10001', 'New York'], ['Berg School', 'AT', '5020', 'Salzburg'],
];

function fillCatalogue(shop) {
  for (const title of ['Clothing', 'Gear', 'Books', 'Old']) shop.do('category/added', { title });
  const [clothing, gear, , old] = shop.all('categories');
  const more = [
    ['Shoes', clothing.id], ['Clothes', clothing.id], ['Climbing', gear.id], ['Gear', null],
    ['', null],
  ];
  for (const [title, parent] of more) shop.do('category/added', { title, parent });
  shop.do('category/renamed', { id: gear.id, title: 'Gear' });
  shop.do('category/removed', { id: old.id });
  shop.do('category/removed', { id: gear.id });
  for (const { category, ...product } of goods) {
    const { id } = shop.find('categories', category);
    shop.do('product/added', { ...product, category: id });
    shop.do('product/published', { id: shop.last('products').id });
  }
  shop.do('product/added', { title: 'Nowhere', category: 'none' });
  shop.do('category/moved', { id: shop.find('categories', 'Books').id, parent: null, place: 0 });
  const below = shop.find('categories', 'Climbing').id;
  shop.do('category/moved', { id: gear.id, parent: below, place: 0 });
}

function fillWarehouses(shop) {
  shop.do('warehouse/opened', { id: 'main', title: 'Hall', region: 'DE', priority: 1 });
  shop.do('warehouse/opened', { id: 'south', title: 'South', region: 'AT', priority: 2 });
  for (const [warehouse, least, most] of [['main', 5, 14], ['south', 1, 6]]) {
    const counts = {};
    for (const { id } of shop.all('variants')) counts[id] = shop.number(least, most);
    shop.do('stock/counted', { warehouse, counts });
  }
  const variants = shop.all('variants').map(({ id }) => id);
  shop.do('supplier/added', {
    id: 'north', title: 'Northern goods', variants: variants.slice(0, 14), days: 6, pack: 6,
  });
  shop.do('supplier/added', {
    id: 'rock', title: 'Rock supply', variants: variants.slice(14), days: 4, pack: 4,
  });
}

function registerPeople(shop) {
  for (const [name, country, code, city] of people) {
    const email = `${name.toLowerCase().replace(/ /g, '.')}@mail.test`;
    shop.do('customer/registered', { email, name, group: name === 'Berg School' ? 'trade' : null });
    const { id } = shop.last('customers');
    const address = { name, street: `${shop.number(1, 80)} Hill Road`, code, city, country };
    shop.do('customer/addressed', {
      id, address: country === 'US' ? { ...address, state: 'NY' } : address,
    });
    if (name !== 'Berg School') {
      shop.do('points/given', { customer: id, amount: 400, reason: 'welcome', days: 60 });
    }
  }
  shop.do('customer/registered', { email: 'nobody', name: 'Nobody' });
  shop.do('customer/registered', { email: 'ada.brandt@mail.test', name: 'Ada again' });
  shop.do('customer/addressed', { id: 'u1', address: { name: 'Ada', street: '', city: 'Berlin' } });
  shop.do('customer/identified', { id: 'u8', vatId: 'ATU1234' });
  shop.do('customer/identified', { id: 'u8', vatId: 'ATU12345678' });
}

export function openShop(shop) {
  shop.do('staff/signedIn', { name: 'Nora', role: 'manager' });
  for (const [region, rules] of Object.entries(regions)) shop.do('tax/written', { region, rules });
  shop.do('tax/written', { region: 'FR', rules: { ...regions.DE, rates: { standard: 0.2 } } });
  for (const method of methods) shop.do('shipping/written', { method });
  fillCatalogue(shop);
  fillWarehouses(shop);
  registerPeople(shop);
  shop.do('list/written', { group: 'trade', percent: 12, entries: {} });
  shop.do('list/entry', { group: 'trade', variant: 'v8', price: 1590 });
  shop.do('rental/offered', { id: 'tent', title: 'Tent', rate: 1800, deposit: 10000, units: 3 });
  shop.do('rental/offered', { id: 'stove', title: 'Stove', rate: 500, deposit: 3000, units: 5 });
}
