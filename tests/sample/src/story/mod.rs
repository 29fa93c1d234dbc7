//! The day, hour by hour.

mod afternoon;
mod detour;
mod evening;
mod midday;
mod morning;

use crate::day::Day;

/// Tells the whole day.
pub(crate) fn tell(day: &mut Day) {
    morning::tell(day);
    let before_detour = midday::tell(day);
    let abandoned = detour::tell(day);
    detour::come_back(day, &before_detour, &abandoned);
    afternoon::tell(day);
    evening::tell(day);
}
